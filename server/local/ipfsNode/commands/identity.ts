// version, id: who answers. The version names Kubo's release whose RPC this node follows.

import type { Commands } from '../command.ts';

const VERSION = '0.43.1';
const AGENT = `kubo-rpc-subset/${VERSION}`;

/** The commands of this group. */
export const identityCommands: Commands = {
  version: () => ({
    json: {
      Version: VERSION,
      Commit: '',
      Repo: '18',
      System: `${process.arch}/${process.platform}`,
      Golang: '',
    },
  }),
  id: ({ repo }) => ({
    json: { ID: repo.peerId, PublicKey: '', Addresses: [], AgentVersion: AGENT, Protocols: [] },
  }),
};
