"""`headsdown serve`: one battle for several people, over SSH."""
