-- VerificationRecords as derived once after finality. Anyone derives the same bytes; this copy saves the work.
CREATE TABLE verification_record (
  bounty_id         numeric     PRIMARY KEY,
  record_commitment text        NOT NULL,
  record            text        NOT NULL,
  derived_at        timestamptz NOT NULL DEFAULT now()
);
