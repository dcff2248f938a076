/** What a person sets about the canvas itself, and what is not part of the drawing. */
export interface CanvasSettings {
  grid: boolean;
  /** In units of the drawing. */
  gridStep: number;
  snap: boolean;
  rulers: boolean;
  minimap: boolean;
  /** Names and numbers. */
  labels: boolean;
  /** What a click or a drawn rectangle selects. */
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
