// Load on the gateway while an installation is changed under it: callers with a connection for each request, and callers that
// keep theirs, as browsers and proxies do. Nothing is repeated, so whatever a client would notice is counted.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A request of node:http: its status, or what went wrong, after at most ten seconds, and what a refusal says. Who is asked to
 * come later has to hear when.
 */
export function ask({ host, port }, { method = 'GET', path, headers = {}, body }, agent) {
  return new Promise((resolve) => {
    const sent = request({ host, port, method, path, headers, agent, timeout: 10_000 }, (answer) => {
      const isVague = answer.statusCode === 503 && answer.headers['retry-after'] === undefined;
      let said = '';
      answer.setEncoding('utf8').on('data', (part) => {
        if (answer.statusCode >= 400 && said.length < 300) said += part;
      });
      answer.on('end', () =>
        resolve({ outcome: `${answer.statusCode}${isVague ? ' without Retry-After' : ''}`, said }),
      );
      answer.on('error', fail);
    });
    const fail = (error) => resolve({ outcome: error.code ?? error.message, said: '' });
    sent.on('timeout', () => sent.destroy(new Error('no answer in 10 s')));
    sent.on('error', fail);
    sent.end(body);
  });
}

/**
 * Callers that ask until they are ended. `requests`: what they ask for in turn, with the statuses that are right. `fresh`
 * callers make a connection for each request, `kept` keep theirs; `pause`: milliseconds between two requests of a caller.
 */
export function startLoad(target, requests, { fresh = 3, kept = 3, pause = 20 } = {}) {
  const ending = new AbortController();
  let asked = 0;
  let failed = {};
  let refusals = new Set();
  const caller = async (index, agent) => {
    for (let turn = index; !ending.signal.aborted; turn += 1) {
      const each = requests[turn % requests.length];
      const { outcome, said } = await ask(target, each, agent);
      asked += 1;
      const what = `${each.method ?? 'GET'} ${each.path}: ${outcome}`;
      if (!(each.right ?? ['200']).includes(outcome)) {
        failed[what] = (failed[what] ?? 0) + 1;
        refusals.add(`${new Date().toISOString()} ${what} ${said}`);
      }
      await sleep(pause);
    }
  };
  const callers = Array.from({ length: fresh + kept }, (_, index) =>
    caller(index, index < fresh ? false : new Agent({ keepAlive: true, maxSockets: 1 })),
  );
  return {
    /** How many were asked, which failed, and what they were told when, since the last look. */
    look() {
      const seen = { asked, failed, refusals: [...refusals] };
      [asked, failed, refusals] = [0, {}, new Set()];
      return seen;
    },
    async end() {
      ending.abort();
      await Promise.all(callers);
    },
  };
}
