import { type ModulePorts, type Started, runProcess, soleLeases } from '@lyceum/service';
import { deliverBy, type DeliveryPorts } from './deliver.ts';
import { deliveryProcess } from './delivery-process.ts';

type Given = Pick<ModulePorts, 'log' | 'documents' | 'clock' | 'ids' | 'logger' | 'leases'>;

/** What sends, in one process at a time. */
export interface RunningDeliveries {
  /** For operators: what runs here now, nothing when it runs in another process. */
  operated(): NonNullable<Started['processes']>;
  close(): Promise<void>;
}

/** Sends what is due, from where it was left off. */
export function runDeliveries(given: Given, ports: DeliveryPorts): RunningDeliveries {
  const { leases, logger } = given;
  const alone = leases ?? soleLeases((err, name) => logger.error({ err, reason: name }, 'sending failed'));
  const wish = alone.contend('deliveries', () =>
    runProcess(deliveryProcess(given, deliverBy(ports)), given, { service: 'auth' }),
  );
  return {
    operated() {
      const running = wish.current();
      if (!running) return [];
      return [
        { name: 'delivery', stuck: () => running.stuck(), resume: (school, which) => running.resume(school, which) },
      ];
    },
    close: () => wish.close(),
  };
}
