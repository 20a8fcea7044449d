import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { processTree, stateIn, usageOfTree } from './process-tree.ts';

const ifLinux = process.platform === 'linux' ? test : test.skip;

test('proc_pid_stat(5): the parent, the ticks of the process and of its ended children, and the pages are read', () => {
  const line = `4711 (a (b) c) S 42 4711 4711 0 -1 4194304 900 800 0 0 7 5 3 1 20 0 9 0 1234 99999 1000 18446744073709551615`;
  expect(stateIn(line)).toEqual({ pid: 4711, parent: 42, usage: { cpu: 160_000, megabytes: 4.096 } });
});

ifLinux('the tree of a process has what it started, and its usage counts that', async () => {
  const busy = 'for (const end = Date.now() + 400; Date.now() < end; ); console.log(1); setInterval(() => 0, 1_000)';
  const parent = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(busy)}], { stdio: ['pipe', 1, 2] }); setInterval(() => 0, 1_000)`;
  const child = spawn(process.execPath, ['-e', parent], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const tree = await processTree(child.pid!);
  expect(tree).toHaveLength(2);
  expect(tree[0]).toBe(child.pid);
  expect((await usageOfTree(child.pid!)).cpu).toBeGreaterThan(100_000);
  for (const pid of tree) process.kill(pid, 'SIGKILL');
  await once(child, 'exit');
});

ifLinux('a process that has ended has no usage', async () => {
  const child = spawn(process.execPath, ['-e', '0']);
  await once(child, 'exit');
  await expect(usageOfTree(child.pid!)).rejects.toThrow('has ended');
});
