import type { FactSource } from '@lyceum/contracts';
import type { FactHistory, Upstream } from '@lyceum/internal-api';
import type { ModulePorts } from '@lyceum/service';
import { describe, mount, setHeaders } from '@lyceum/web';
import { ChangeFeed } from './change.feed.ts';
import { readChanges } from './change.http.ts';
import { changeCursors } from './change.cursor.ts';
import { changeSources } from './change.rules.ts';
import type { Patience } from './change.stream.ts';
import { ChangeSignal } from './change-signal.ts';
import { OpenStreams } from '../limits/open-streams.ts';

/** The change feed of every school, behind the edge. */
export interface Changes {
  readonly forward: Upstream['forward'];
  /** Its part of the API's description. */
  readonly openapi: Record<string, unknown>;
  /** Ends every stream. */
  close(): Promise<void>;
}

const day = 86_400_000;

const usual: Patience = { currentReader: 400, look: 5_000, silence: 15_000 };

/** Opens the feed over the logs of the services that are known here. `days`: how long changes can be read back. */
export function openChanges(ports: ModulePorts, days: number, patience: Patience = usual): Changes {
  const { clock, cursorSecret, trust, logger } = ports;
  const sources = new Map<FactSource, FactHistory>(
    changeSources.flatMap((source) => {
      const history = ports.history?.(source);
      return history ? [[source, history] as const] : [];
    }),
  );
  const stopping = new AbortController();
  const signal = new ChangeSignal(sources);
  const operations = [
    readChanges({
      feed: new ChangeFeed({ sources, clock, kept: days * day }),
      signal,
      codec: changeCursors(cursorSecret, clock, days * day),
      streams: new OpenStreams(),
      trust,
      patience,
      stopping: stopping.signal,
      now: () => clock.now(),
    }),
  ];
  const handle = mount({ service: 'gateway', operations, ports, trust, logger }).callback();
  return {
    forward(request, response, defaultHeaders = []) {
      setHeaders(response, defaultHeaders);
      return handle(request, response);
    },
    openapi: describe('gateway', operations),
    async close() {
      stopping.abort();
      await signal.close();
    },
  };
}
