import { expect } from '@jest/globals';
import { type SplitSystem, noPrometheus, startPrometheus } from '@lyceum/testkit';
import { alertsFolder } from './observed-metrics.ts';

/** What operators are told of the engines below a system. */
export interface EngineAlerts {
  /** Resolves when the alert fires. Fails when one that names another engine does. */
  fires(alert: string): Promise<void>;
  /** Resolves when the alert does not fire any more. */
  ends(alert: string): Promise<void>;
  stop(): Promise<void>;
}

const nobody: EngineAlerts = {
  fires: async () => undefined,
  ends: async () => undefined,
  stop: async () => undefined,
};

/** The origin of each process's operator listener. */
export const operatorUrls = ({ processes }: SplitSystem): readonly string[] =>
  [...processes.values()].map(({ env }) => `http://127.0.0.1:${env['OPERATOR_PORT']}`);

/** Has a server of Prometheus read every process, with the alerts of the chart. Where there is none, nothing is waited for. */
export async function engineAlerts(system: SplitSystem): Promise<EngineAlerts> {
  if (noPrometheus() !== undefined) return nobody;
  const targets = operatorUrls(system).map((url) => new URL(url).host);
  const prometheus = await startPrometheus({ targets, token: system.operatorToken, rules: alertsFolder });
  return {
    async fires(alert) {
      await prometheus.until(alert, true);
      const named = (await prometheus.firing()).filter((name) => /^Lyceum(Mongodb|Kafka|Redis)Away$/.test(name));
      expect(new Set(named)).toEqual(new Set([alert]));
    },
    ends: (alert) => prometheus.until(alert, false),
    stop: () => prometheus.stop(),
  };
}
