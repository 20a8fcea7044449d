import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock, systemIds } from '@lyceum/kernel';
import { trustState, verifier } from '@lyceum/oauth';
import { SchoolScheduler } from '@lyceum/web';
import { refuse } from '../http/error-response.ts';
import { trustedProxies } from '../edge/request/client-address.ts';
import { InFlightLimits } from '../limits/in-flight-limits.ts';
import { front } from '../edge/front.ts';
import { beginTrace } from '../edge/request/trace.ts';
import { HostTable } from '../routing/host-table.ts';
import { type RequestLimits, requestLimits } from '../limits/request-limits.ts';
import { schoolFrom } from '../routing/school.ts';
import { serviceOf } from '../routing/service-of-path.ts';
import { httpUpstream } from '../upstream/http-upstream.ts';

/**
 * The process that is measured: the edge alone, in front of one service, with many schools of which one is asked for.
 * Arguments: the URL of the service, and `limits` or `passing`. Tells its own URL to the process that forked it.
 */
const [service = '', limiting] = process.argv.slice(2);

const silent = { debug: () => undefined, info: () => undefined, error: () => undefined };
const hosts = new HostTable();
const trust = trustState(systemClock);
const ids = systemIds(systemClock);
const factor = 999_999;
const at = '2026-01-05T08:00:00.000Z';
const uncounted = { outcome: 'unknown', policy: { name: 'none', quota: 1, window: 60 } } as const;
const passing: RequestLimits = { admit: () => uncounted, admitToAuth: () => uncounted };

const upstream = httpUpstream(
  { name: 'catalog', urls: [service], token: 'the-token-of-this-measurement' },
  {
    report: () => undefined,
    refuse: (response, description) => refuse(response, 'temporarily_unavailable', 'req_1', { description }),
  },
);
const limits = requestLimits({
  clock: systemClock,
  verifier: verifier({ trust, clock: systemClock }),
  isTrustKnown: () => true,
  factor,
});
const server = createServer(
  front({
    hosts,
    documents: {
      at: () => undefined,
      pageAt: () => undefined,
      certificateAt: () => undefined,
      invoiceAt: () => undefined,
      calendarAt: () => undefined,
    },
    serviceOf,
    upstream: () => upstream,
    isElsewhere: () => true,
    limits: limiting === 'limits' ? limits : passing,
    inFlight: new InFlightLimits({ requests: { ofAddress: 100_000, ofSchool: 100_000 } }),
    scheduler: new SchoolScheduler(),
    trusted: trustedProxies([]),
    ids,
    beginTrace,
    clock: systemClock,
    logger: silent,
  }),
);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
for (let number = 0; number < 10_000; number += 1) {
  const [id, base_url] = [`school_${number}`, `https://school-${number}.example`];
  hosts.put(schoolFrom({ id, name: id, host: new URL(base_url).host, base_url })!, at);
}
hosts.put(schoolFrom({ id: 'school_asked', name: 'Asked', host: '127.0.0.1', base_url: url })!, at);
process.send?.(url);
