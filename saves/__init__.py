"""Files: battles as journals that only grow, the library of battles, and the armouries. No terminal in here."""
