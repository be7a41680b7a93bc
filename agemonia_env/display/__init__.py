"""What people read and look at: messages, text that fits a width, drawing, plots."""
