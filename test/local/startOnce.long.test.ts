// The launcher's promise: one line when ready, and nothing left behind, whether it is asked to stop or killed.

import { expect } from 'chai';
import { type Launcher, launch, openPorts, survivors, urlsOf } from './launcher.ts';

describe('npm start', function () {
  this.timeout(60_000);
  this.slow(12_000);
  let launcher: Launcher | undefined;

  afterEach(async () => {
    if (launcher?.process.exitCode === null && launcher.process.signalCode === null)
      await launcher.end('SIGTERM');
  });

  it('prints one line when all is ready; SIGTERM ends it with code 0 and leaves no process and no port', async () => {
    launcher = launch([]);
    const report = await launcher.ready();
    const family = await launcher.family();
    expect(launcher.stdout().trimEnd().split('\n')).to.have.lengthOf(1);
    expect(report.chain_id).to.equal(31337);
    expect(report.hub_address).to.equal('0x5FbDB2315678afecb367f032d93F642f64180aa3');
    expect(report.accounts.solvers).to.have.lengthOf(3);
    expect(report.accounts.guardians).to.have.lengthOf(5);
    expect(report.accounts.guardians[0]).to.include.keys(
      'name',
      'address',
      'private_key',
      'encryption_private_key',
    );
    expect(await openPorts(urlsOf(report))).to.have.lengthOf(5);
    const response = await fetch(`${report.api_url}/readyz`);
    expect(response.status).to.equal(200);

    expect(await launcher.end('SIGTERM')).to.deep.equal([0, null]);
    expect(family.length).to.be.greaterThan(4);
    expect(await survivors(family)).to.deep.equal([]);
    expect(await openPorts(urlsOf(report))).to.deep.equal([]);
  });

  it('leaves no process and no port when it is killed with SIGKILL', async () => {
    launcher = launch(['--no-api']);
    const report = await launcher.ready();
    const family = await launcher.family();

    expect(await launcher.end('SIGKILL')).to.deep.equal([null, 'SIGKILL']);
    expect(family.length).to.be.greaterThan(3);
    expect(await survivors(family)).to.deep.equal([]);
    expect(await openPorts(urlsOf(report))).to.deep.equal([]);
  });
});
