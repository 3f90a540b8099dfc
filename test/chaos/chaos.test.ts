import { campaignsHold } from './properties';

// Two files, because they run side by side; `npm run chaos` runs more and longer campaigns.
campaignsHold(150, 30);
