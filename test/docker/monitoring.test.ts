// Alert rules and dashboard name metrics that the service really has, and pages of the runbook that are there.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { parse } from 'yaml';
import { sharedServer } from '../localStack.ts';

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const NAME = /\b((?:bounty|process|nodejs)_[a-z0-9_]+)\b/g;

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

describe('monitoring', () => {
  const { groups } = parse(read('server/docker/monitoring/alerts.yml')) as { groups: { rules: Rule[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  const { panels } = JSON.parse(read('server/docker/monitoring/grafana.json')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };

  it('asks for metrics that the service has', async function () {
    this.timeout(60_000);
    const { metricsUrl } = await sharedServer();
    const served = await (await fetch(metricsUrl)).text();
    const has = new Set(
      [...served.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name!],
      ),
    );
    const asked = [
      ...rules.map(({ expr }) => expr),
      ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    const names = new Set(asked.flatMap((expr) => [...expr.matchAll(NAME)].map(([, name]) => name!)));
    expect(names.size).to.be.greaterThan(8);
    expect([...names].filter((name) => !has.has(name))).to.deep.equal([]);
    // Every metric of the service's own is looked at somewhere.
    const own = [...has].filter((name) => name.startsWith('bounty_') && !name.endsWith('_sum'));
    expect(own.filter((name) => !names.has(name))).to.deep.equal([]);
  });

  it('leads each alert to a section of the runbook', () => {
    const runbook = read('server/api/docs/corpus/runbook.md');
    for (const { alert, annotations } of rules) {
      const section = /^\/raw\/runbook, "(.+)"$/.exec(annotations.runbook)?.[1];
      expect(runbook.split('\n'), alert).to.include(`## ${section}`);
    }
  });
});
