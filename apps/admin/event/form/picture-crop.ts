/** The geometry of cropping a picture to a square: moving, zooming, and the visible part. */

/**
 * A square in a picture: `x` and `y` of its upper left corner are shares of width and height, its
 * side is a share of the shorter side.
 */
export interface Crop {
  x: number;
  y: number;
  size: number;
}
interface Measures {
  width: number;
  height: number;
}
/** `url` is a blob address, which the code that made it must revoke. */
export interface ChosenPicture extends Measures {
  file: File;
  url: string;
}

/** The server's minimum. */
export const leastPixels = 160;

/** A smaller square than a fifth of the shorter side would hardly be sharp. */
export function smallestSize({ width, height }: Measures): number {
  return Math.min(1, Math.max(0.2, leastPixels / Math.min(width, height)));
}

/** The square's side as shares of width and height. */
export function sharesOf(
  { width, height }: Measures,
  size: number,
): { across: number; down: number } {
  const side = Math.min(width, height) * size;
  return { across: side / width, down: side / height };
}

/** The largest square in the middle of the picture. */
export function middleCrop(picture: Measures): Crop {
  const { across, down } = sharesOf(picture, 1);
  return { x: (1 - across) / 2, y: (1 - down) / 2, size: 1 };
}

/** Moves the square by `dx` and `dy`, in sides of the square; it stays inside the picture. */
export function moveCrop(
  picture: Measures,
  crop: Crop,
  { dx, dy }: { dx: number; dy: number },
): Crop {
  const { across, down } = sharesOf(picture, crop.size);
  return keepInside(picture, { ...crop, x: crop.x + dx * across, y: crop.y + dy * down });
}

/** Makes the square larger or smaller around its middle. */
export function zoomCrop(picture: Measures, crop: Crop, size: number): Crop {
  const next = Math.min(1, Math.max(smallestSize(picture), size));
  const [old, now] = [sharesOf(picture, crop.size), sharesOf(picture, next)];
  return keepInside(picture, {
    x: crop.x + (old.across - now.across) / 2,
    y: crop.y + (old.down - now.down) / 2,
    size: next,
  });
}

/** The square's position for the sliders, 0 to 1; 0.5 where it cannot move. */
export function placeOf(picture: Measures, crop: Crop): { across: number; down: number } {
  const { across, down } = sharesOf(picture, crop.size);
  const share = (at: number, room: number) =>
    room < 1e-9 ? 0.5 : Math.min(1, Math.max(0, at / room));
  return { across: share(crop.x, 1 - across), down: share(crop.y, 1 - down) };
}

export function placeCrop(
  picture: Measures,
  crop: Crop,
  place: { across?: number; down?: number },
): Crop {
  const { across, down } = sharesOf(picture, crop.size);
  return {
    ...crop,
    x: place.across === undefined ? crop.x : place.across * (1 - across),
    y: place.down === undefined ? crop.y : place.down * (1 - down),
  };
}

function keepInside(picture: Measures, crop: Crop): Crop {
  const { across, down } = sharesOf(picture, crop.size);
  const inside = (at: number, share: number) => Math.min(Math.max(0, at), Math.max(0, 1 - share));
  return { ...crop, x: inside(crop.x, across), y: inside(crop.y, down) };
}
