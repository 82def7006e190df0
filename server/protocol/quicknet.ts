// drand's quicknet, the public beacon of mainnet and staging, as the League of Entropy publishes it under /info.
// A test recomputes the chain hash from the other values. Must never be fetched: a relay could name another chain.
import type { DrandNetwork } from './drandNetwork.ts';

/** quicknet: unchained, signatures on G1, a round every 3 seconds (https://docs.drand.love). */
export const QUICKNET: DrandNetwork = {
  chainHash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  publicKey:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451' +
    '0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  genesisSeconds: 1_692_803_367,
  periodSeconds: 3,
  scheme: 'bls-unchained-g1-rfc9380',
  urls: [
    'https://api.drand.sh',
    'https://api2.drand.sh',
    'https://api3.drand.sh',
    'https://drand.cloudflare.com',
  ],
};
