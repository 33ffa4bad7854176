# Throws what it likes.
input()
print("prpsp", flush=True)
