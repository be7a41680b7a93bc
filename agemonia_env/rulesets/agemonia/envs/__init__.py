"""The environments of Agemonia, and the arguments that they take."""
