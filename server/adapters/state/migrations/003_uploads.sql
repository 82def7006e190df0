-- One-time upload URLs. The token itself is never kept, only its SHA-256.
CREATE TABLE upload_url (
  token_hash        bytea       PRIMARY KEY,
  bounty_id         numeric     NOT NULL,
  solver            text        NOT NULL,
  locator           text        NOT NULL,
  ciphertext_sha256 text        NOT NULL,
  byte_length       bigint      NOT NULL,
  client_address    text        NOT NULL,
  issued_at         timestamptz NOT NULL DEFAULT now(),
  expires_at        timestamptz NOT NULL,
  spent_at          timestamptz
);
CREATE INDEX upload_url_solver ON upload_url (solver) WHERE spent_at IS NULL;
CREATE INDEX upload_url_client ON upload_url (client_address) WHERE spent_at IS NULL;

-- Ciphertexts that are stored, each for the Solver and bounty that it was uploaded for. `named` is set once an active
-- Submission names it; until then it goes at retained_until.
CREATE TABLE package (
  locator        text        NOT NULL,
  bounty_id      numeric     NOT NULL,
  solver         text        NOT NULL,
  byte_length    bigint      NOT NULL,
  dag_root       text        NOT NULL,
  client_address text        NOT NULL,
  stored_at      timestamptz NOT NULL DEFAULT now(),
  retained_until timestamptz NOT NULL,
  named          boolean     NOT NULL DEFAULT false,
  PRIMARY KEY (locator, bounty_id, solver)
);
CREATE INDEX package_unnamed_solver ON package (solver) WHERE NOT named;
CREATE INDEX package_unnamed_client ON package (client_address) WHERE NOT named;
CREATE INDEX package_retained ON package (retained_until);

-- Envelopes that were prepared, each naming one package.
CREATE TABLE envelope (
  bounty_id             numeric     NOT NULL,
  submission_commitment text        NOT NULL,
  solver                text        NOT NULL,
  locator               text        NOT NULL,
  prepared_at           timestamptz NOT NULL DEFAULT now(),
  retained_until        timestamptz NOT NULL,
  PRIMARY KEY (bounty_id, submission_commitment)
);
CREATE INDEX envelope_locator ON envelope (locator);
CREATE INDEX envelope_retained ON envelope (retained_until);
