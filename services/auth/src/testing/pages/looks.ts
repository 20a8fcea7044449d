import type { Look } from '@lyceum/contracts';

/** A look of warm colours and printed letters. */
export const lantern: Look = {
  palette: { accent: '#9a3f12', background: '#f8f1e7', surface: '#fffdf9', text: '#2a1d14' },
  typography: 'serif',
  layout: 'banner',
  dark_mode: 'auto',
  logo_text: 'Lantern Craft',
};

/** A look that nobody could read if pages did as it says. */
export const unreadable: Look = {
  palette: { accent: '#ffff66', background: '#dddddd', surface: '#eeeeee', text: '#cccccc' },
  typography: 'rounded',
  layout: 'plain',
  dark_mode: 'auto',
  logo_text: null,
};
