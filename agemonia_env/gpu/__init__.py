"""The rules on an NVIDIA GPU: compiled to PTX, loaded by its driver, played on torch tensors."""
