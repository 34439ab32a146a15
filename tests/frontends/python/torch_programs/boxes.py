"""Finding objects: anchor boxes, how they overlap, targets, and what is left of predictions."""

import torch
from d2l import torch as d2l
from torch import nn
from torch.nn import functional as F

torch.manual_seed(15)

boxes = torch.tensor([[60.0, 45.0, 378.0, 516.0], [400.0, 112.0, 655.0, 493.0]])
assert torch.equal(d2l.box_center_to_corner(d2l.box_corner_to_center(boxes)), boxes)

anchors = d2l.multibox_prior(torch.rand(1, 3, 8, 8), sizes=[0.75, 0.5], ratios=[1, 2, 0.5])
assert anchors.shape == (1, 8 * 8 * 4, 4)
grid = anchors.reshape(8, 8, 4, 4)
assert torch.allclose(grid[4, 4, 0], torch.tensor([0.1875, 0.1875, 0.9375, 0.9375]))
iou = d2l.box_iou(boxes, boxes)
assert torch.allclose(iou, torch.eye(2), atol=1e-6)

ground_truth = torch.tensor([[0, 0.1, 0.08, 0.52, 0.92], [1, 0.55, 0.2, 0.9, 0.88]])
anchors = torch.tensor(
    [
        [0, 0.1, 0.2, 0.3],
        [0.15, 0.2, 0.4, 0.4],
        [0.63, 0.05, 0.88, 0.98],
        [0.66, 0.45, 0.8, 0.8],
        [0.57, 0.3, 0.92, 0.9],
    ]
)
offset, mask, classes = d2l.multibox_target(anchors.unsqueeze(dim=0), ground_truth.unsqueeze(dim=0))
assert classes.tolist() == [[0, 1, 2, 0, 2]]
assert mask.reshape(5, 4).any(dim=1).tolist() == [False, True, True, False, True]

anchors = torch.tensor(
    [[0.1, 0.08, 0.52, 0.92], [0.08, 0.2, 0.56, 0.95], [0.15, 0.3, 0.62, 0.91], [0.55, 0.2, 0.9, 0.88]]
)
offset_preds = torch.tensor([0] * anchors.numel())
cls_probs = torch.tensor([[0] * 4, [0.9, 0.8, 0.7, 0.1], [0.1, 0.2, 0.3, 0.9]])
output = d2l.multibox_detection(
    cls_probs.unsqueeze(dim=0), offset_preds.unsqueeze(dim=0), anchors.unsqueeze(dim=0), nms_threshold=0.5
)
assert output.shape == (1, 4, 6) and output[0, :, 0].tolist() == [0, 1, -1, -1]
assert abs(output[0, 0, 1].item() - 0.9) < 1e-6


# A small network that predicts classes and offsets of boxes at one scale.
class Detector(nn.Module):
    def __init__(self, num_classes=1, num_anchors=4):
        super().__init__()
        self.num_classes = num_classes
        self.body = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2))
        self.cls = nn.Conv2d(8, num_anchors * (num_classes + 1), kernel_size=3, padding=1)
        self.bbox = nn.Conv2d(8, num_anchors * 4, kernel_size=3, padding=1)

    def forward(self, X):
        X = self.body(X)
        anchors = d2l.multibox_prior(X, sizes=[0.5, 0.3], ratios=[1, 2, 0.5])
        cls = torch.flatten(self.cls(X).permute(0, 2, 3, 1), start_dim=1)
        bbox = torch.flatten(self.bbox(X).permute(0, 2, 3, 1), start_dim=1)
        return anchors, cls.reshape(cls.shape[0], -1, self.num_classes + 1), bbox


images = torch.rand(2, 3, 16, 16) * 0.1
images[:, :, 4:12, 4:12] += 0.8
labels = torch.tensor([[[0, 0.25, 0.25, 0.75, 0.75]]]).repeat(2, 1, 1)
net = Detector()
trainer = torch.optim.SGD(net.parameters(), lr=0.1, weight_decay=5e-4)
losses = []
for _ in range(8):
    trainer.zero_grad()
    anchors, cls_preds, bbox_preds = net(images)
    bbox_labels, bbox_masks, cls_labels = d2l.multibox_target(anchors, labels)
    cls = F.cross_entropy(cls_preds.reshape(-1, 2), cls_labels.reshape(-1), reduction="none")
    bbox = F.l1_loss(bbox_preds * bbox_masks, bbox_labels * bbox_masks, reduction="none")
    l = cls.reshape(2, -1).mean(dim=1) + bbox.mean(dim=1)
    l.mean().backward()
    trainer.step()
    losses.append(l.mean().item())
