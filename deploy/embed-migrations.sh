#!/usr/bin/env bash
# Writes Sources/Product/Storage/EmbeddedMigrations.swift from Migrations/*.sql, since the program carries its schema.
# Run it after adding a migration; a test fails while the file is out of date.
set -euo pipefail
cd "$(dirname "$0")/../Sources/Product/Storage"
{
  echo "// Written by deploy/embed-migrations.sh from Migrations/*.sql. Do not edit."
  echo "// swift-format-ignore-file"
  echo
  echo "/// The migrations as the program carries them: file name without .sql, and text."
  echo "enum EmbeddedMigrations {"
  echo "  static let all: [(name: String, sql: String)] = ["
  for file in Migrations/[0-9]*.sql; do
    name=$(basename "$file" .sql)
    printf '    (\n      name: "%s",\n      sql: #"""\n' "$name"
    # Every line indented like the closing quotes, which Swift takes away again.
    sed 's/^\(.\)/        \1/' "$file"
    printf '        """#\n    ),\n'
  done
  echo "  ]"
  echo "}"
} > EmbeddedMigrations.swift
