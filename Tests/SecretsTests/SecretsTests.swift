// SecretsTests: to be furnished.
