import iterate from 'graphology-layout-forceatlas2/iterate'

/** What is laid out: the matrices of ForceAtlas2, and how often positions are sent back. */
export type Task = { settings: object; nodes: Float32Array; edges: Float32Array; rounds: number; iterations: number }

// The layout, beside the page: it sends the positions back after each round.
onmessage = ({ data }: MessageEvent<Task>) => {
  for (let round = 0; round < data.rounds; round++) {
    for (let i = 0; i < data.iterations; i++) iterate(data.settings, data.nodes, data.edges)
    postMessage(data.nodes)
  }
}
