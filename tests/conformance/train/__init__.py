"""What training is made of, against PyTorch: operations with their gradients, and updates.

    case.py        one comparison; families/ has them, a file for each kind
    answers.py     runs the cases of a family, on either library
    record.py      `make record-train`: PyTorch's answers, into vectors/train_<family>.json.gz
    run.py         `make conformance-train`: ours against PyTorch's
    test_train_vectors.py (of the Python tests) holds ours against them
"""
