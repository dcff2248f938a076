/** Checks the layout of a phone's screen by bounding boxes: no overlap, and nothing cut off. */
import type { Page } from 'playwright';

/** A small phone, a large one, and one on its side. */
export const phoneSizes = [
  { width: 360, height: 640 },
  { width: 390, height: 844 },
  { width: 844, height: 390 },
] as const;

interface Box {
  name: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The boxes of all visible elements of these kinds. */
export function boxesOf(page: Page, selectors: readonly string[]): Promise<Box[]> {
  return page.evaluate(
    (wanted) =>
      wanted.flatMap((selector) =>
        [...document.querySelectorAll(selector)]
          .filter((element) => element.checkVisibility())
          .map((element) => {
            const { left, top, right, bottom } = element.getBoundingClientRect();
            return { name: selector, left, top, right, bottom };
          }),
      ),
    selectors,
  );
}

export function overlapsIn(boxes: readonly Box[]): string[] {
  return boxes.flatMap((a, i) =>
    boxes
      .slice(i + 1)
      .filter(
        (b) =>
          a.left < b.right - 1 &&
          b.left < a.right - 1 &&
          a.top < b.bottom - 1 &&
          b.top < a.bottom - 1,
      )
      .map((b) => `${a.name} × ${b.name}`),
  );
}

export function outside(
  boxes: readonly Box[],
  { width, height }: { width: number; height: number },
): string[] {
  return boxes
    .filter((box) => box.left < 0 || box.top < 0 || box.right > width || box.bottom > height)
    .map(({ name }) => `${name} is cut off`);
}

/** The elements on the camera picture. */
export const onPicture = [
  '.screens-scan-scan-camera_frame',
  '.screens-scan-scan-camera_aim p',
  '.screens-scan-scan-camera_counters',
  '.screens-scan-scan-camera_button',
  '.screens-scan-scan-camera_zoom',
];
