/** A person's settings of the canvas, which are not part of the drawing. */
export interface CanvasSettings {
  grid: boolean;
  /** In units of the drawing. */
  gridStep: number;
  snap: boolean;
  rulers: boolean;
  minimap: boolean;
  /** Whether names and numbers are shown. */
  labels: boolean;
  /** Whether a click or a drawn rectangle selects objects or seats. */
  pick: 'objects' | 'seats';
}

export const usualSettings: CanvasSettings = {
  grid: true,
  gridStep: 10,
  snap: true,
  rulers: true,
  minimap: true,
  labels: true,
  pick: 'objects',
};
