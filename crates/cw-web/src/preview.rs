//! What an option would do, found out on a guess at what the seat cannot see.
