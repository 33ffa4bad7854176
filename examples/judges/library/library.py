"""A library of games with the interface of OpenSpiel, as a judge.

The library keeps a game in an object. A judge keeps nothing, so its state is the list of all actions so far, from which the
object is made again. What chance does is drawn from the seed and the number of actions.

What is lost: the library cannot go on without a seat, so a forfeit ends the game, and all others are equal. Bots are sent
the text that the library has for a seat, and then the moves that they can choose from.
"""
import json
import random
import sys

import standin as library  # for OpenSpiel itself: `import pyspiel as library`

GAMES = ["kuhn_poker", "tic_tac_toe", "matching_pennies"]

HELLO = {
    "judge": 1,
    "game": "library",
    "title": "A game of a library",
    "legal": True,
    "unit": "hundredth",
    "rules": {"game": {"default": GAMES[0], "choices": GAMES, "about": "which game of the library is played"}},
}

def after(name, actions):
    """The game `name` after `actions`: numbers, or where all act at once, lists of them."""
    game = library.load_game(name).new_initial_state()
    for action in actions:
        if isinstance(action, list):
            game.apply_actions(action)
        else:
            game.apply_action(action)
    return game

def acting(game, seats):
    if game.is_simultaneous_node():
        return [seat for seat in range(seats) if game.legal_actions(seat)]
    return [game.current_player()]

def moves(game, seat):
    """The moves of `seat` in notation, each with the number that the library has for it."""
    return {" ".join(game.action_to_string(seat, action).split()): action for action in game.legal_actions(seat)}

def position(q, seed, actions):
    name, seats = q["rules"]["game"], q["seats"]
    game = after(name, actions)
    while not game.is_terminal() and game.is_chance_node():
        outcomes, chances = zip(*game.chance_outcomes())
        action = random.Random(f"{seed} {len(actions)}").choices(outcomes, chances)[0]
        game.apply_action(action)
        actions = actions + [action]
    if game.is_terminal():
        return {"points": [round(100 * value) for value in game.returns()], "board": str(game)}
    turn = acting(game, seats)
    views = [None] * seats
    for seat in turn:
        views[seat] = f"{game.observation_string(seat).rstrip()}\nmoves: {', '.join(moves(game, seat))}\n"
    return {"state": [seed, actions], "turn": turn, "views": views, "board": str(game)}

def answer(q):
    if q["ask"] == "hello":
        return HELLO
    if q["ask"] == "start":
        players = library.load_game(q["rules"]["game"]).num_players()
        if players != q["seats"]:
            return {"error": f"{q['rules']['game']} has {players} seats"}
        return position(q, q["seed"], [])
    seed, actions = q["state"]
    game = after(q["rules"]["game"], actions)
    if q["ask"] == "legal":
        return {"legal": list(moves(game, q["seat"]))}
    chosen, illegal = [0] * q["seats"], []
    for seat, text in zip(q["turn"], q["moves"]):
        legal = moves(game, seat)
        text = text and " ".join(text.split())
        illegal.append(None if text is None or text in legal else "choose one of " + ", ".join(legal)[:400])
        chosen[seat] = legal.get(text, 0)
    if any(illegal):
        return {"illegal": illegal}
    if q["out"]:
        return {"points": [0] * q["seats"]}
    joint = chosen if game.is_simultaneous_node() else chosen[q["turn"][0]]
    return position(q, seed, actions + [joint])

for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
