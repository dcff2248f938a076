/**
 * Pictures in a drawing, as images and as the traced plan: fetched once, painted when they have
 * arrived.
 */
export class Pictures {
  readonly #known = new Map<string, HTMLImageElement>();
  readonly #come: () => void;

  constructor(come: () => void) {
    this.#come = come;
  }

  /**
   * Null: not loaded yet, or not a picture. Addresses on other servers are not fetched, because a
   * drawing may come from a stranger.
   */
  of(href: string | null | undefined): HTMLImageElement | null {
    if (!href || !/^data:image\/(?:png|jpeg|webp|gif);/.test(href)) return null;
    let image = this.#known.get(href);
    if (!image) {
      image = new Image();
      image.decoding = 'async';
      image.addEventListener('load', this.#come, { once: true });
      image.src = href;
      this.#known.set(href, image);
    }
    return image.complete && image.naturalWidth > 0 ? image : null;
  }
}
