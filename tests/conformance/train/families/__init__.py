"""Cases by what they are about: each module has `cases()`, which makes a list of Case."""
