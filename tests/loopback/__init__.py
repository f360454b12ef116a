"""A world on loopback: web sites with every fault, search services, names; it logs every request.

`LoopbackWorld` runs on a thread of its own. `world.network()` is the `Network` that sees its names:
it gives every site a public-looking address, so that the guard is at work as it is outside.
"""
