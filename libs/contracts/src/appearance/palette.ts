/** The colours of one scheme, by role. */
export interface Palette {
  /** Behind everything. */
  readonly page: string;
  readonly card: string;
  /** A quiet surface on the card. */
  readonly inset: string;
  readonly ink: string;
  /** Secondary text. */
  readonly quiet: string;
  /** Ornamental lines, which nobody has to see. */
  readonly line: string;
  /** Borders that show where a control is (≥ 3:1). */
  readonly edge: string;
  readonly accent: string;
  readonly accentStrong: string;
  readonly onAccent: string;
  /** A broad stripe of the school's colour, and what stands on it. */
  readonly band: string;
  readonly onBand: string;
  /** Write permissions. */
  readonly caution: string;
  readonly cautionSurface: string;
  readonly cautionEdge: string;
  readonly problem: string;
  readonly problemSurface: string;
  readonly problemEdge: string;
}

/** Light and dark: plain six-digit hex, so that a test can compute the contrast of every pair. */
export const palettes: { readonly light: Palette; readonly dark: Palette } = {
  light: {
    page: '#f2f4f1',
    card: '#ffffff',
    inset: '#f6f8f6',
    ink: '#17211e',
    quiet: '#55625d',
    line: '#e0e5e1',
    edge: '#7c8984',
    accent: '#14605a',
    accentStrong: '#0d4843',
    onAccent: '#ffffff',
    band: '#14605a',
    onBand: '#ffffff',
    caution: '#7a4a05',
    cautionSurface: '#fdf6e8',
    cautionEdge: '#e5c88f',
    problem: '#9a1f1a',
    problemSurface: '#fdf0ee',
    problemEdge: '#e6aaa4',
  },
  dark: {
    page: '#0f1513',
    card: '#18211e',
    inset: '#1e2825',
    ink: '#e9efec',
    quiet: '#a3b1ab',
    line: '#2b3733',
    edge: '#73827c',
    accent: '#7fd3c5',
    accentStrong: '#a5e4d9',
    onAccent: '#06231f',
    band: '#134742',
    onBand: '#e9efec',
    caution: '#f0c67a',
    cautionSurface: '#272113',
    cautionEdge: '#5f4d22',
    problem: '#ffb3aa',
    problemSurface: '#2e1a18',
    problemEdge: '#71362f',
  },
};
