# There is nothing to refer to (S28).
