/** For a system that is measured: the options of Node.js that this process was started with, as its forks get them. */
export const nodeOptions = { NODE_OPTIONS: process.execArgv.join(' ') } as const;
