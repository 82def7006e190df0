import { expect } from 'chai';
import {
  type Address,
  encodeAbiParameters,
  hashTypedData,
  keccak256,
  type TypedDataDefinition,
  toHex,
} from 'viem';
import { permitDomainSeparator, permitTypedData, permitTypedDataJson } from '../../server/protocol/permit.ts';

const DOMAIN = {
  name: 'USD Coin',
  version: '2',
  chainId: 8453,
  verifyingContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3' as Address,
};
const MESSAGE = {
  owner: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A' as Address,
  spender: '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512' as Address,
  value: 2n ** 255n,
  nonce: 3n,
  deadline: 1_790_000_000n,
};

describe('permit', () => {
  it('has the type of ERC-2612', () => {
    // The type hash that ERC-2612 tokens carry as PERMIT_TYPEHASH.
    const typeHash = '0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9';
    const words = ['bytes32', 'address', 'address', 'uint256', 'uint256', 'uint256'].map((type) => ({
      type,
    }));
    const { owner, spender, value, nonce, deadline } = MESSAGE;
    const structHash = keccak256(
      encodeAbiParameters(words, [typeHash, owner, spender, value, nonce, deadline]),
    );
    const digest = keccak256(`0x1901${permitDomainSeparator(DOMAIN).slice(2)}${structHash.slice(2)}`);
    expect(hashTypedData(permitTypedData(DOMAIN, MESSAGE))).to.equal(digest);
  });

  it('has the domain separator that the token computes', () => {
    const type = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';
    const words = ['bytes32', 'bytes32', 'bytes32', 'uint256', 'address'].map((kind) => ({ type: kind }));
    const parts = [type, DOMAIN.name, DOMAIN.version].map((text) => keccak256(toHex(text)));
    expect(permitDomainSeparator(DOMAIN)).to.equal(
      keccak256(encodeAbiParameters(words, [...parts, 8453n, DOMAIN.verifyingContract])),
    );
  });

  it('means the same after a way through JSON', () => {
    const json = JSON.parse(JSON.stringify(permitTypedDataJson(DOMAIN, MESSAGE)));
    expect(json.message.value).to.equal(String(2n ** 255n));
    expect(hashTypedData(json as TypedDataDefinition)).to.equal(
      hashTypedData(permitTypedData(DOMAIN, MESSAGE)),
    );
  });
});
