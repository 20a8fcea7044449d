import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../system/system.ts';
import { type BackingServer, type Engine, type EngineKind, ServerFailed } from '../backing-server.ts';
import { type ContainerSetup, containerSetups } from './container-images.ts';
import { dockerAnswers } from './docker-engine.ts';
import { shared } from '../shared-server.ts';

/** Milliseconds that an image may take to come, and that a server may take to answer. */
const patience = 240_000;

/** The engines of a kind that a Docker engine can run; none when no engine answers. */
export async function containerEngines(kind: EngineKind): Promise<readonly Engine[]> {
  if (!(await dockerAnswers())) return [];
  return containerSetups
    .filter((setup) => setup.kind === kind)
    .map((setup) => ({
      kind,
      title: setup.title,
      version: setup.version,
      origin: 'container',
      start: () => startContainer(setup),
      // testcontainers removes containers when the process that started them ends: one for each worker.
      shared: () => shared(setup.title, process.pid, () => startContainer(setup)),
    }));
}

/** Starts a container on free ports of loopback and waits until its server answers. */
async function startContainer(setup: ContainerSetup): Promise<BackingServer> {
  const { GenericContainer, Wait, getContainerRuntimeClient } = await import('testcontainers');
  const ports = await Promise.all(Array.from({ length: setup.ports }, freePort));
  const container = await new GenericContainer(setup.image)
    .withExposedPorts(...ports.map((port) => ({ container: port, host: port })))
    .withEnvironment({ ...setup.environment(ports) })
    .withCommand([...setup.command(ports)])
    .withWaitStrategy(Wait.forListeningPorts())
    .withStartupTimeout(patience)
    .start();
  const client = await getContainerRuntimeClient();
  const handle = client.container.getById(container.getId());
  const running = async () => (await handle.inspect()).State.Running;
  const kill = async () => void ((await running()) && (await handle.kill()));
  await answering(setup, ports);
  if (setup.assemble) {
    const { exitCode, output } = await container.exec([...setup.assemble(ports)]);
    if (exitCode !== 0) throw new ServerFailed(`${setup.title} was not assembled\n${output}`);
  }
  return {
    kind: setup.kind,
    title: setup.title,
    origin: 'container',
    url: setup.url(ports),
    nodes: 1,
    stop: async () => void (await container.stop({ timeout: 0 })),
    kill,
    async restart() {
      await kill();
      await handle.start();
      await answering(setup, ports);
    },
    pause: () => handle.pause(),
    resume: () => handle.unpause(),
  };
}

async function answering({ title, ping }: ContainerSetup, ports: readonly number[]): Promise<void> {
  for (const began = Date.now(); !(await Promise.all(ports.map(ping))).every(Boolean); await sleep(100))
    if (Date.now() - began > patience) throw new ServerFailed(`${title} did not answer`);
}
