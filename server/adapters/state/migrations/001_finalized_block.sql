-- The highest block that was proven final, per chain and Hub: a process that starts below or beside it is refused.
CREATE TABLE finalized_block (
  chain_id    bigint NOT NULL,
  hub_address text   NOT NULL,
  number      bigint NOT NULL,
  hash        text   NOT NULL,
  PRIMARY KEY (chain_id, hub_address)
);
