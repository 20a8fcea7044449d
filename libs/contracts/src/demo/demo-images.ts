/** A picture of a demo school: lanterns in front of a sky. Colours are RGB; a place is a share of width and height. */
export interface DemoImage {
  /** Without its extension. */
  readonly name: string;
  /** What it may be used for. */
  readonly purpose: 'cover' | 'page_image';
  /** From top to bottom. */
  readonly sky: readonly [Rgb, Rgb];
  readonly lights: readonly DemoLight[];
}

type Rgb = readonly [red: number, green: number, blue: number];

/** A lantern: where its middle is, how far it glows as a share of the height, and in which colour. */
export interface DemoLight {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly colour: Rgb;
}

const light = (x: number, y: number, radius: number, colour: Rgb): DemoLight => ({ x, y, radius, colour });

const [amber, rose, pearl]: readonly Rgb[] = [
  [255, 190, 92],
  [245, 128, 110],
  [255, 236, 200],
];

/** The pictures of the demo schools, by slug. Their ids are those of files of the same name. */
export const demoImages: Readonly<Record<string, readonly DemoImage[]>> = {
  'lantern-craft': [
    {
      name: 'workshop-evening',
      purpose: 'page_image',
      sky: [
        [22, 26, 52],
        [58, 40, 56],
      ],
      lights: [light(0.24, 0.45, 0.3, amber!), light(0.52, 0.36, 0.22, rose!), light(0.78, 0.52, 0.34, pearl!)],
    },
    {
      name: 'river-walk',
      purpose: 'cover',
      sky: [
        [14, 30, 58],
        [30, 66, 82],
      ],
      lights: [
        light(0.14, 0.4, 0.12, pearl!),
        light(0.32, 0.46, 0.16, amber!),
        light(0.52, 0.42, 0.2, rose!),
        light(0.74, 0.5, 0.26, amber!),
      ],
    },
    {
      name: 'long-table',
      purpose: 'cover',
      sky: [
        [48, 30, 40],
        [96, 58, 44],
      ],
      lights: [light(0.5, 0.42, 0.42, amber!)],
    },
  ],
};
