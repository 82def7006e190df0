-- One row for each approval whose review ran or is running. `counts` is taken back when the provider or a neighbour
-- failed; the approval stays used.
CREATE TABLE review_ledger (
  approval_digest text        NOT NULL,
  signer          text        NOT NULL,
  claimed_at      timestamptz NOT NULL DEFAULT now(),
  counts          boolean     NOT NULL DEFAULT true,
  PRIMARY KEY (approval_digest, signer)
);
CREATE INDEX review_ledger_signer ON review_ledger (signer, claimed_at) WHERE counts;
CREATE INDEX review_ledger_time ON review_ledger (claimed_at) WHERE counts;
