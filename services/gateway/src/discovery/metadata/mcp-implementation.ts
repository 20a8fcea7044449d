/** How the server names itself: once connected, and before in its card. */
export const implementation = { name: 'lyceum-school', title: 'School', version: '1.0.0' } as const;
