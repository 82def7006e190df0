-- Content keys that Guardians wrapped to a delivery key of this deployment. Only ciphertext, never the key itself, and
-- nothing of who stored it.
CREATE TABLE delivery_wrap (
  bounty_id             numeric     NOT NULL,
  submission_commitment text        NOT NULL,
  solver                text        NOT NULL,
  key_id                text        NOT NULL,
  wrapped_key           text        NOT NULL,
  stored_at             timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (bounty_id, submission_commitment, solver)
);
