import type { DarkMode, PageLayout, Typography } from './appearance.ts';

/** How a school wants its pages to look. The colours are chosen freely; see `derivePalettes` for what becomes of them. */
export interface Look {
  readonly palette: {
    readonly accent: string;
    readonly background: string;
    readonly surface: string;
    readonly text: string;
  };
  readonly typography: Typography;
  readonly layout: PageLayout;
  readonly dark_mode: DarkMode;
  /** In the place of the school's name at the head of a page. */
  readonly logo_text: string | null;
}
