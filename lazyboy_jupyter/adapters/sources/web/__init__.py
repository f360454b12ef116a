"""Everything that goes over the network to read a page: guard, client, reader."""
