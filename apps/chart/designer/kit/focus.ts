/** Gives the focus to the canvas, where single letters choose tools. */
export function focusCanvas(home: Element | null | undefined): void {
  home?.querySelector<HTMLElement>('.bsd-canvas')?.focus({ preventScroll: true });
}
