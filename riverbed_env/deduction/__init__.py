"""What a seat can conclude: posteriors over hidden roles, and full states drawn from what its view leaves open."""
