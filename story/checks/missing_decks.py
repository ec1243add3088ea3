def check(draft):
    pass
def steps_without_rule(c): return ()
