/** Who runs the site and how to reach them: to be changed by each theatre before it sells. */
export const site = {
  name: 'Botteghino',
  support_email: 'assistenza@botteghino.example',
  support_phone: '+39 06 0000 0000',
} as const;
