/** Families of letters that every system has; no page fetches a font. */
export const typographies = ['system', 'humanist', 'serif', 'rounded'] as const;
export type Typography = (typeof typographies)[number];

/** How a page arranges its head and its content. */
export const layouts = ['card', 'plain', 'banner'] as const;
export type PageLayout = (typeof layouts)[number];

/** Whether pages are dark: as the reader's system is set, never, or always. */
export const darkModes = ['auto', 'light', 'dark'] as const;
export type DarkMode = (typeof darkModes)[number];
