# Both functions are the machine's.
