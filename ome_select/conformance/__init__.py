"""Documentation pages → facts → checked facts.

`runner.check_pages` is the way in. A page becomes a neutral record (`page`, `markdown`); each module in `facts` finds
the facts of one kind in it and asks the selector about them; `report` shows the result.
"""
