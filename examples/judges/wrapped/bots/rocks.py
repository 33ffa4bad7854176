# Throws rocks only.
input()
print("rrrrr", flush=True)
